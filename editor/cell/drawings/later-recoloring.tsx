import { useEffect, useState } from 'preact/hooks';
import { laterPart } from '../../kit/later.tsx';
import type { RecoloredPictureProps } from './recolored-picture.tsx';

const part = laterPart(() => import('./recolored-picture.tsx'));

/** A picture in its own colours until what recolours it is downloaded, behind the first look at the page. */
export function LaterRecoloring(props: RecoloredPictureProps) {
  const [, setLoaded] = useState(part.loaded !== null);
  useEffect(() => {
    if (part.loaded !== null) return;
    part.load().then(
      () => setLoaded(true),
      // The next picture tries again.
      () => undefined,
    );
  }, []);
  const Picture = part.loaded?.RecoloredPicture;
  if (Picture) return <Picture {...props} />;
  return <img src={props.url} alt={props.name} draggable={false} style={props.style} />;
}

import { laterPart, useLaterPart } from '../../kit/later.tsx';
import type { RecoloredPictureProps } from './recolored-picture.tsx';

const part = laterPart(() => import('./recolored-picture.tsx'));

/** A picture in its own colours until what recolours it is downloaded, behind the first look at the page. */
export function LaterRecoloring(props: RecoloredPictureProps) {
  // The next picture tries again.
  const Picture = useLaterPart(part)?.RecoloredPicture;
  if (Picture) return <Picture {...props} />;
  return <img src={props.url} alt={props.name} draggable={false} style={props.style} />;
}

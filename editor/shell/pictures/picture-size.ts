/** CSS pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** What HTML says of the size of a picture in it. */
export interface WantedSize {
  /** CSS pixels; null where the HTML says nothing of it. */
  readonly widthPixels: number | null;
  readonly heightPixels: number | null;
  /** Of the room's width; null where the width is none. */
  readonly share: number | null;
}

/** Nothing is wanted but its own size. */
export const ownSize: WantedSize = { widthPixels: null, heightPixels: null, share: null };

/** The picture's own size. @throws when the browser cannot show what is at the address */
export async function sizeOfPicture(url: string): Promise<PixelSize> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return { width: image.naturalWidth || 300, height: image.naturalHeight || 200 };
}

/** The size that is wanted: a side of which nothing is said follows the other. Nothing may be larger than the room. */
export function sizeInRoom(
  { widthPixels, heightPixels, share }: WantedSize,
  natural: PixelSize,
  room: PixelSize,
): PixelSize {
  const ratio = natural.height / natural.width;
  const wantedWidth = share === null ? widthPixels : share * room.width;
  const width = wantedWidth ?? (heightPixels === null ? natural.width : heightPixels / ratio);
  const height = heightPixels ?? width * ratio;
  const scale = Math.min(1, room.width / width, room.height / height);
  return { width: width * scale, height: height * scale };
}

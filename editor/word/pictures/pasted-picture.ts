/** A picture that pasted HTML holds, with the size that the HTML gives it. */
export interface PastedPicture {
  readonly file: File;
  readonly alt: string;
  /** CSS pixels; null where the HTML says nothing of it. */
  readonly widthPixels: number | null;
  readonly heightPixels: number | null;
  /** Of the column's width; null where the width is none. */
  readonly share: number | null;
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The size that the HTML means: a side of which it says nothing follows the other. Nothing may be larger than the room. */
export function pastedSize(
  { widthPixels, heightPixels, share }: Omit<PastedPicture, 'file' | 'alt'>,
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

// The picture of save.ts as a PNG. A browser draws an image without the fonts of the page around it, so those that the
// picture names go into it first.

import sans from '@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2';
import serif from '@fontsource-variable/source-serif-4/files/source-serif-4-latin-wght-normal.woff2';

const fonts = { 'Source Sans 3 Variable': sans, 'Source Serif 4 Variable': serif };
/** Dots of the image for each of the page. */
const density = 2;

/** `picture`: the text of an SVG file, as pictureOf gives it. */
export async function pngOf(picture: string): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([await withFonts(picture)], { type: 'image/svg+xml' }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * density;
    canvas.height = image.naturalHeight * density;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((made, failed) => canvas.toBlob((blob) => (blob ? made(blob) : failed(new Error('The picture is too large.'))), 'image/png'));
  } finally {
    URL.revokeObjectURL(address);
  }
}

async function withFonts(picture: string): Promise<string> {
  const named = Object.entries(fonts).filter(([family]) => picture.includes(family));
  const faces = await Promise.all(named.map(async ([family, file]) => `@font-face { font-family: '${family}'; font-weight: 200 900; src: url('${await dataOf(file)}'); }`));
  return picture.replace('</title>', `</title><style>${faces.join('\n')}</style>`);
}

/** A font as a data address; where it cannot be fetched, the image makes do with another one. */
async function dataOf(file: string): Promise<string> {
  try {
    const bytes = new Uint8Array(await (await fetch(new URL(file, import.meta.url))).arrayBuffer());
    return `data:font/woff2;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
  } catch {
    return 'data:,';
  }
}

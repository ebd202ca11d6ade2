/** Kinds of files that a website keeps, the same for everybody, by what their names end with. */
export type StaticKind = 'style' | 'script' | 'image' | 'font' | 'media' | 'file'

export const STATIC_EXTENSIONS: Record<StaticKind, string> = {
  style: 'css',
  script: 'js mjs',
  image: 'apng avif bmp gif heic ico jpeg jpg jxl png svg svgz tif tiff webp',
  font: 'eot otf ttf woff woff2',
  media: '3gp aac flac m4a m4s m4v mid midi mkv mov mp3 mp4 mpeg mpg oga ogg ogv opus ts wav weba webm wma wmv',
  file: '7z apk bin bz2 deb dmg doc docx ear exe gz iso jar msi odp ods odt pdf pkg ppt pptx rar rpm rtf swf tar tgz wasm war xls xlsx xz zip zst',
}

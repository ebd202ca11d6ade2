type Kind = 'style' | 'script' | 'image' | 'font' | 'media' | 'file'

const EXTENSIONS: Record<Kind, string> = {
  style: 'css',
  script: 'js mjs',
  image: 'apng avif bmp gif heic ico jpeg jpg jxl png svg svgz tif tiff webp',
  font: 'eot otf ttf woff woff2',
  media: '3gp aac flac m4a m4s m4v mid midi mkv mov mp3 mp4 mpeg mpg oga ogg ogv opus ts wav weba webm wma wmv',
  file: '7z apk bin bz2 deb dmg doc docx ear exe gz iso jar msi odp ods odt pdf pkg ppt pptx rar rpm rtf swf tar tgz wasm war xls xlsx xz zip zst',
}
const KINDS = kindsByExtension()

function kindsByExtension(): Record<string, Kind | undefined> {
  const kinds: Record<string, Kind | undefined> = {}
  for (const kind of ['style', 'script', 'image', 'font', 'media', 'file'] as const)
    for (const extension of EXTENSIONS[kind].split(' ')) kinds[`.${extension}`] = kind
  return kinds
}

/**
 * Whether an answer is a file that is the same for everybody: by the end of its path (from the last dot on, lower case)
 * and by its content type. Both, because a page can be asked for under a name that ends like a picture's (web cache
 * deception), and a name says nothing where a type is all that there is. Without content there is no type to look at.
 */
export function isStaticContent(tail: string, contentType: string | undefined): boolean {
  const kind = KINDS[tail]
  if (kind === undefined) return false
  if (contentType === undefined) return true
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  if (kind === 'style') return type === 'text/css'
  if (kind === 'script')
    return type.endsWith('/javascript') || type.endsWith('/x-javascript') || type.endsWith('/ecmascript')
  if (kind === 'image') return type.startsWith('image/')
  if (type === 'application/octet-stream') return true
  if (kind === 'font') return type.startsWith('font/') || (type.startsWith('application/') && type.includes('font'))
  if (kind === 'media') return type.startsWith('video/') || type.startsWith('audio/')
  return type.startsWith('application/') && !isDocumentOrData(type)
}

/** What programs answer with under any name. */
function isDocumentOrData(type: string): boolean {
  return type.endsWith('json') || type.endsWith('xml') || type.endsWith('graphql') || type.endsWith('urlencoded')
}

import { STATIC_EXTENSIONS } from './static-extensions.ts'

const EXTENSIONS: ReadonlySet<string> = new Set(Object.values(STATIC_EXTENSIONS).flatMap((some) => some.split(' ')))

/** Whether a path, or one with `*` at its end, is about files of a website. */
export function isStaticPath(path: string): boolean {
  const extension = /\.([A-Za-z0-9]+)\*?$/.exec(path)?.[1]?.toLowerCase()
  return extension !== undefined && EXTENSIONS.has(extension)
}

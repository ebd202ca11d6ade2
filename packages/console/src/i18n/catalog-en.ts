import { byFeature } from './catalog-files.ts'

export const catalog = byFeature(import.meta.glob('./en/*.json', { eager: true, import: 'default' }))

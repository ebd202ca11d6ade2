import { byFeature } from './catalog-files.ts'

export const catalog = byFeature(import.meta.glob('./zhHant/*.json', { eager: true, import: 'default' }))

import { byFeature } from './catalogs.ts'

export const catalog = byFeature(import.meta.glob('./zhHant/*.json', { eager: true, import: 'default' }))

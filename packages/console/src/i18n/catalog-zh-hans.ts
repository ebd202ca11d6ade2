import { byFeature } from './catalogs.ts'

export const catalog = byFeature(import.meta.glob('./zhHans/*.json', { eager: true, import: 'default' }))

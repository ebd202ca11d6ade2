import { byFeature } from './catalog-files.ts'

export const catalog = byFeature(import.meta.glob('./zhHans/*.json', { eager: true, import: 'default' }))

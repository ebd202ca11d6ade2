import { byFeature } from './catalog-files.ts'

export const catalog = byFeature(
  import.meta.glob('./zhHans/{auth,errors,shell,validation}.json', { eager: true, import: 'default' }),
)

import { byFeature } from './catalog-files.ts'

export const catalog = byFeature(
  import.meta.glob('./en/{auth,errors,shell,validation}.json', { eager: true, import: 'default' }),
)

import { ApiRuleContent } from '@fairway/contract'
import { type Config, seal, sealForNodes, unseal } from '@fairway/platform'
import { z } from 'zod'

/** Purpose that keys of API protection are sealed for. */
const PURPOSE = 'api protection key'

/** What a rule of API protection is in the database. */
export const KeptApiRule = ApiRuleContent.extend({ sealedKey: z.string() })

export const sealKey = (config: Config, key: string): string => seal(config, PURPOSE, key)
export const openKey = (config: Config, sealed: string): string => unseal(config, PURPOSE, sealed)
export const sealKeyForNodes = (config: Config, key: string): string => sealForNodes(config, PURPOSE, key)

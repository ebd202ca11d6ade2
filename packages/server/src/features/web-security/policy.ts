import {
  type AccessEntryInput,
  type BotManagement,
  CredentialStuffingContent,
  FailedLoginContent,
  FirewallAction,
  HeaderRuleInput,
  OriginOverride,
  type SecurityDraft,
  type SecurityPolicy,
} from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { accessEntries, type AccessRow } from '../access-control/store.ts'
import { schemaPolicyOf } from '../api-schema/store.ts'
import { botManagementOf } from '../bot-management/store.ts'
import { crsPolicyOf } from '../crs-rules/store.ts'
import { KeptApiRule } from '../api-protection/kept-rule.ts'
import { refuseExpression } from './rule-list.ts'
import { rulesOf, type RulePart, type RuleRow } from './rule-store.ts'

const HeaderChanges = HeaderRuleInput.pick({ direction: true, operations: true })

/**
 * Everything that the requests for a domain are held against; with a change that has not been saved, as it would be
 * then. Keys of API protection are as sealed as they are kept; one of a draft is sealed by `seal`.
 */
export async function securityPolicyOf(
  tx: Tx,
  domainId: string,
  draft?: SecurityDraft,
  seal: (key: string) => string = (key) => key,
): Promise<SecurityPolicy> {
  const crs = await crsPolicyOf(tx, domainId)
  const inForce = async (part: RulePart) =>
    withRule(await rulesOf(tx, domainId, part), part, draft, seal).filter(({ enabled }) => enabled)
  const bots = await botManagementOf(tx, domainId)
  return {
    access: withEntries(policyEntries(await accessEntries(tx, domainId)), draft),
    bots: draft?.part === 'bot-management' ? changedBots(bots, draft.settings) : bots,
    firewall: (await inForce('firewall-rules')).map(({ id, name, expression, does }) => ({
      id,
      name,
      expression,
      action: FirewallAction.parse(does),
    })),
    crs: draft?.part === 'crs-rules' ? { ...crs, ...said(draft.settings) } : crs,
    api: (await inForce('api-protection')).map(({ id, name, does }) => {
      const { sealedKey, ...rule } = KeptApiRule.parse(does)
      return { id, name, ...rule, key: sealedKey }
    }),
    schema: await schemaPolicyOf(tx, domainId),
    failedLogins: (await inForce('failed-login')).map(({ id, name, does }) => ({
      id,
      name,
      ...FailedLoginContent.parse(does),
    })),
    credentialStuffing: (await inForce('credential-stuffing')).map(({ id, name, does }) => ({
      id,
      name,
      ...CredentialStuffingContent.parse(does),
    })),
    headers: (await inForce('http-header-rewrite')).map(({ id, name, expression, does }) => ({
      id,
      name,
      expression,
      ...HeaderChanges.parse(does),
    })),
    origins: (await inForce('origin-rules')).map(({ id, name, expression, does }) => ({
      id,
      name,
      expression,
      origin: OriginOverride.parse(does),
    })),
  }
}

/** Entries as the edge is given them. */
export function policyEntries(
  entries: readonly Pick<AccessRow, 'id' | 'list' | 'kind' | 'value' | 'network' | 'exclude' | 'expires_at'>[],
): SecurityPolicy['access'] {
  return entries.map(({ id, list, kind, value, network, exclude, expires_at }) => ({
    id,
    list,
    kind,
    value,
    network: network === '' ? null : network,
    exclude,
    until: expires_at === null ? 0 : Math.floor(expires_at.getTime() / 1000),
  }))
}

/** An entry that is not there yet, as the edge would be given it. */
export function draftEntry(input: AccessEntryInput, id: string): SecurityPolicy['access'][number] {
  const until = input.expiresAt === null ? 0 : Math.floor(Date.parse(input.expiresAt) / 1000)
  const { list, kind, value } = input
  return kind === 'address'
    ? { id, list, kind, value, network: null, exclude: false, until }
    : { id, list, kind, value, network: input.network, exclude: input.exclude, until }
}

function withEntries(entries: SecurityPolicy['access'], draft: SecurityDraft | undefined): SecurityPolicy['access'] {
  if (draft?.part !== 'access-control') return entries
  return [
    ...entries.filter(({ id }) => !draft.remove.includes(id)),
    ...draft.add.map((entry, index) => draftEntry(entry, `${DRAFT}-${index + 1}`)),
  ]
}

const DRAFT = 'draft'

type DraftRow = Pick<RuleRow, 'id' | 'name' | 'enabled' | 'expression' | 'does'>

/** The list with the draft in the place of its rule, or at the end. @throws Failure 400 for a wrong expression */
function withRule(
  rows: DraftRow[],
  part: RulePart,
  draft: SecurityDraft | undefined,
  seal: (key: string) => string,
): DraftRow[] {
  if (!draft || !('rule' in draft) || draft.part !== part) return rows
  const { id, rule } = draft
  const { name, enabled } = rule
  const expression = 'expression' in rule ? rule.expression : null
  refuseExpression(expression)
  const was = rows.find((one) => one.id === id)
  const row = { id: id ?? DRAFT, name, enabled, expression, does: doesOf(draft, was?.does, seal) }
  return was ? rows.map((one) => (one === was ? row : one)) : [...rows, row]
}

/** @throws Failure 400 for an API rule without a key */
function doesOf(
  draft: Extract<SecurityDraft, { rule: unknown }>,
  was: unknown,
  seal: (key: string) => string,
): unknown {
  if (draft.part === 'firewall-rules') return draft.rule.action
  if (draft.part === 'origin-rules') return draft.rule.origin
  if (draft.part !== 'api-protection') return draft.rule
  const { key, ...rule } = draft.rule
  const kept = KeptApiRule.safeParse(was).data?.sealedKey
  const sealedKey = key === undefined ? kept : seal(key)
  if (sealedKey === undefined)
    throw new Failure(400, { fields: [{ path: 'draft.rule.key', message: 'validation.required' }] })
  return { ...rule, sealedKey }
}

/** Without what was left out. */
const said = <T extends object>(wanted: T): Partial<T> =>
  Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Partial<T>

function changedBots(bots: BotManagement, change: Partial<BotManagement>): BotManagement {
  return {
    securityLevel: change.securityLevel ?? bots.securityLevel,
    challengeMode: change.challengeMode ?? bots.challengeMode,
    integrityCheck: change.integrityCheck ?? bots.integrityCheck,
    clearanceSeconds: change.clearanceSeconds ?? bots.clearanceSeconds,
    verifiedCrawlers: change.verifiedCrawlers ?? bots.verifiedCrawlers,
  }
}

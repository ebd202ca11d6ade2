import { LIMITS, type StrategyInput } from '@fairway/contract'
import { METHOD_FEATURES, canUseStrategy, canUseTtl, strategyProblem } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { maximaOf, minimumTtlOf } from '../plans/maxima.ts'
import { strategyOrder, targetIds } from './store.ts'

/**
 * A domain has room for so many strategies altogether, and the plan for so many of the rule's kind. `id` is the
 * strategy that the rule replaces.
 */
export async function refuseMore({ tx, actor, domain }: Context, rule: StrategyInput, id?: string): Promise<void> {
  const others = (await strategyOrder(tx, domain.id)).filter((one) => one.id !== id)
  const maxima = await maximaOf(tx, actor.organizationId)
  const kind = METHOD_FEATURES[rule.method]
  const most = kind === 'dns.staticRouting' ? maxima.staticStrategiesPerDomain : maxima.dynamicStrategiesPerDomain
  if (
    others.length >= LIMITS.strategiesPerDomain ||
    others.filter(({ method }) => METHOD_FEATURES[method] === kind).length >= most
  )
    throw new Failure(810007)
}

/** What the plan allows, and that the targets can be reached by it. */
export async function checkStrategy(context: Context, rule: StrategyInput): Promise<void> {
  await refuseByPlan(context, rule)
  const problem = strategyProblem(rule, await targetIds(context.tx, context.domain.id))
  if (problem === null) return
  const { path, message, code } = problem
  throw code === 400 ? new Failure(400, { fields: [{ path, message }] }) : new Failure(code)
}

/** @throws Failure with the code of what the plan lacks for this strategy. */
export async function refuseByPlan({ tx, actor }: Pick<Context, 'tx' | 'actor'>, rule: StrategyInput): Promise<void> {
  const missing =
    canUseStrategy([...actor.abilities], rule) ??
    canUseTtl(await minimumTtlOf(tx, actor.organizationId), rule.ttlSeconds)
  if (missing) throw new Failure(missing)
}

/** A draft that could not be saved is not simulated either. */
export async function checkDraft({ tx, domain }: Context, draft: readonly StrategyInput[]): Promise<void> {
  const fields = listProblems(draft, await targetIds(tx, domain.id), 'draft')
  if (fields.length > 0) throw new Failure(400, { fields })
}

/** What saving a list would refuse, by the path of each. */
export const listProblems = (
  list: readonly StrategyInput[],
  installed: ReadonlySet<string>,
  path: string,
): { path: string; message: string }[] =>
  list.flatMap((rule, index) => {
    const problem = strategyProblem(rule, installed)
    return problem ? [{ path: `${path}.${index}.${problem.path}`, message: problem.message }] : []
  })

import { StrategyInput, type RoutingStrategy } from '@fairway/contract'

/** What of a strategy can be written: all but what the platform keeps of it. */
export const inputOf = (strategy: RoutingStrategy): StrategyInput => StrategyInput.parse(strategy)

/** What a game day shows below its controls. */
export { AttackCard } from './attack-card.tsx'
export { LiveEffect } from './live-effect.tsx'

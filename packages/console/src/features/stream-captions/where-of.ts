/** Players have it, will have it in a moment, or have nothing to play yet. */
export const whereOf = ({ isLive }: { isLive: boolean }, isPlayable: boolean): 'live' | 'coming' | 'waiting' =>
  isLive ? 'live' : isPlayable ? 'coming' : 'waiting'

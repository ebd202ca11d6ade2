export type Grain = 'minute' | 'hour' | 'day'

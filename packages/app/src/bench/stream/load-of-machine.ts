import os from 'node:os'

/** Figures of a machine that does other things as well are read with this beside them. */
export const loadOfMachine = (): string =>
  `load of the machine: ${os
    .loadavg()
    .map((one) => one.toFixed(1))
    .join(' ')} on ${os.availableParallelism()} cores`

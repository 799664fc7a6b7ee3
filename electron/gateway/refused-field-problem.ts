import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import { encodeGeneration } from '../../shared/protocol/unified/generation-fields.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { RequestProblem } from './gateway-model.ts';

/** What a server says that cannot use a field of `config`, where it is to be one. */
export function refusedFieldProblem(
  { generation }: SessionSettings,
  faults: FaultPlan,
): RequestProblem | undefined {
  const field = faults.find('refusedField')?.field;
  if (field === undefined || !Object.hasOwn(encodeGeneration(generation ?? {}), field))
    return undefined;
  return { code: 'invalid_payload', message: `got an unexpected keyword argument '${field}'` };
}

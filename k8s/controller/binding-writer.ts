import { gatewayKey } from '../../render/metadata.ts';
import { renderedName } from '../../render/names.ts';
import type { RoleSubject } from '../../render/objects.ts';
import { ownershipOf } from '../../render/ownership.ts';
import { DATA_PLANE_ROLE, type DataPlaneSubject, subjectKey } from '../../render/subjects.ts';
import { exactly, writeSubjects } from '../binding.ts';
import type { Change } from '../change-set.ts';
import type { LiveObject } from '../live-object.ts';
import type { ObservedGateway } from '../status/observed.ts';
import type { Rights } from '../status/programmed.ts';
import type { Transport } from '../transport.ts';
import type { ClusterView } from './cluster-view.ts';
import type { SubjectBook } from './subject-book.ts';

// The first change is written at once, those that follow together: a thousand Gateways are no thousand writes.
// The pause between two writes grows as long as changes keep coming, and ends once none comes any more.
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
const QUIET_MS = 250;

/** What a {@link BindingWriter} works with. */
export interface BindingTools {
  readonly transport: Transport;
  readonly view: ClusterView;
  readonly book: SubjectBook;
  readonly bindingName: string;
  readonly dryRun: boolean;
  /** Has {@link BindingWriter.write} called, after this many milliseconds. */
  readonly schedule: (afterMs: number) => void;
  /** Milliseconds that only grow. */
  readonly clock?: () => number;
}

/** The one writer of the shared binding's subjects. */
export class BindingWriter {
  readonly #tools: BindingTools;
  readonly #clock: () => number;
  #pauseMs = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  #lastRequest = Number.NEGATIVE_INFINITY;
  #isScheduled = false;
  #problem: string | undefined;

  constructor(tools: BindingTools) {
    this.#tools = tools;
    this.#clock = tools.clock ?? (() => performance.now());
  }

  /** Asks for a look at the list of subjects: soon, and once for all who ask until then. */
  request(): void {
    this.#lastRequest = this.#clock();
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#tools.schedule(this.#lastRequest < this.#notBefore ? QUIET_MS : 0);
  }

  /**
   * Makes the list what it is to be, unless more changes are to be waited for.
   * @throws {Error} if that cannot be done now.
   */
  async write(signal?: AbortSignal): Promise<Change | undefined> {
    const now = this.#clock();
    if (now < this.#notBefore && now - this.#lastRequest < QUIET_MS) {
      this.#tools.schedule(QUIET_MS);
      return undefined;
    }
    this.#isScheduled = false;
    const { transport, view, bindingName, dryRun } = this.#tools;
    const read = async () => bindingIn(view, bindingName);
    const options = { dryRun, read, ...(signal === undefined ? {} : { signal }) };
    const change = await writeSubjects(transport, bindingName, (there) => this.#wanted(there), options);
    if (change.action === 'configured') this.#pause();
    const failed = change.action === 'failed' || change.action === 'conflict';
    this.#problem = failed ? `ClusterRoleBinding ${bindingName}: ${change.message}` : undefined;
    if (this.#problem !== undefined) throw new Error(this.#problem);
    return change;
  }

  /** Why the list could not be written. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Whether the data plane of a Gateway of ours may read what it needs. */
  rightsOf(gateway: ObservedGateway): Rights {
    if (this.#tools.book.of(gatewayKey(gateway)) !== 'wanted') return 'given';
    const { view, bindingName } = this.#tools;
    const binding = bindingIn(view, bindingName);
    const name = `ClusterRoleBinding ${bindingName}`;
    if (binding === undefined)
      return { problem: `${name} is not there; gari install --only=data-plane-rbac prints it` };
    const role = binding.roleRef;
    if (role?.kind !== 'ClusterRole' || role.name !== DATA_PLANE_ROLE) {
      return { problem: `${name} binds ${role?.kind} ${role?.name}, not ClusterRole ${DATA_PLANE_ROLE}` };
    }
    const key = subjectKey(subjectOf(gateway));
    if ((binding.subjects ?? []).some((subject) => subjectKey(subject) === key)) return 'given';
    return this.#problem === undefined ? 'pending' : { problem: this.#problem };
  }

  #wanted(there: readonly RoleSubject[]): readonly RoleSubject[] {
    const present = new Set(there.map(subjectKey));
    const ours: DataPlaneSubject[] = [];
    const { view, book } = this.#tools;
    for (const gateway of view.store('Gateway').list() as Iterable<ObservedGateway>) {
      const plan = book.of(gatewayKey(gateway));
      if (plan === 'none' || gateway.metadata.deletionTimestamp !== undefined) continue;
      const subject = subjectOf(gateway);
      if (plan === 'keep' && !present.has(subjectKey(subject))) continue;
      // A foreign ServiceAccount of the name must never gain rights.
      const account = view.store('ServiceAccount').get(subject.namespace, subject.name) as
        | LiveObject
        | undefined;
      const whose = account === undefined ? 'foreign' : ownershipOf(account, gateway);
      // One that an earlier Gateway of the name had keeps its rights until it is taken over.
      if (whose === 'owned' || (whose === 'adoptable' && present.has(subjectKey(subject))))
        ours.push(subject);
    }
    return exactly(ours)(there);
  }

  #pause(): void {
    const now = this.#clock();
    const isBurst = now - this.#notBefore < LONGEST_PAUSE_MS;
    this.#pauseMs = isBurst ? Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS;
    this.#notBefore = now + this.#pauseMs;
  }
}

/** The subject of a Gateway's data plane. */
function subjectOf({ metadata: { namespace, name } }: ObservedGateway): DataPlaneSubject {
  return { kind: 'ServiceAccount', name: renderedName(name), namespace };
}

function bindingIn(view: ClusterView, name: string): LiveObject | undefined {
  return view.store('ClusterRoleBinding').get(undefined, name) as LiveObject | undefined;
}

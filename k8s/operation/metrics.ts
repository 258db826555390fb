/** What came of a reconcile, in controller-runtime's words. */
export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Is told what a work queue does. */
export interface QueueMetrics {
  /** A key is waiting now that was not before. */
  added(key: string): void;
  /** Its run begins. */
  started(key: string): void;
  finished(key: string): void;
  /** It is run again after an error. */
  retried(key: string): void;
}

/** The controller's metrics, by controller-runtime's names, so that dashboards that exist work. */
export interface ControllerMetrics {
  /** Of a queue; `controller` and `name` are its labels. */
  queue(controller: string, concurrency: number): QueueMetrics;
  /** One run of a controller's reconcile. */
  reconciled(controller: string, result: ReconcileResult, seconds: number): void;
  /** An object was written, or not: kind and what became of it, in the words of `gari apply`. */
  applied(kind: string, action: string): void;
}

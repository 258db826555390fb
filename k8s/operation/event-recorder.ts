/** An object that an event is about. */
export interface EventObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** None for what is in no namespace. */
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/** What users shall see in `kubectl describe`. */
export interface RecordedEvent {
  readonly regarding: EventObject;
  /** Another object that has to do with it. */
  readonly related?: EventObject;
  readonly type: 'Normal' | 'Warning';
  /** Why, as one word: `ResourceConflict`. */
  readonly reason: string;
  /** What was done or tried, as one word: `Apply`. */
  readonly action: string;
  /** For people; cut at 1,024 bytes. */
  readonly note: string;
}

/** Tells users of what happens to their objects. */
export interface EventRecorder {
  /** Never throws and never waits. The same event again is counted, and one object cannot flood the others. */
  record(event: RecordedEvent): void;
}

import Synchronization

/// Runs an asynchronous function to its end on the thread that asks for it, so that every run does the same.
public final class InlineTask<Value: Sendable>: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let outcome = Mutex<Result<Value, any Error>?>(nil)

    private init() {}

    /// Keeps a job until the thread comes to it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    private func runJobs() {
        while let job = jobs.withLock({ $0.popLast() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private func finish(_ result: Result<Value, any Error>) {
        outcome.withLock { $0 = result }
    }

    /// What the function returns; it may wait for nothing that another thread does.
    public static func run(_ function: @escaping @Sendable () async throws -> Value) throws -> Value {
        let task = InlineTask()
        Task(executorPreference: task) {
            do { task.finish(.success(try await function())) } catch { task.finish(.failure(error)) }
        }
        task.runJobs()
        guard let outcome = task.outcome.withLock(\.self) else { preconditionFailure("the function waits for others") }
        return try outcome.get()
    }
}

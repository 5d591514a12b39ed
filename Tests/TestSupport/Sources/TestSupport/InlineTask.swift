import Dispatch
import Synchronization

/// Runs an asynchronous function to its end on the calling thread, so that every run does the same.
///
/// Tasks that the function makes without its executor run elsewhere; the thread waits for them.
public final class InlineTask<Value: Sendable>: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let outcome = Mutex<Result<Value, any Error>?>(nil)
    /// Signalled for every job, and for the outcome.
    private let news = DispatchSemaphore(value: 0)

    private init() {}

    /// Keeps a job until the thread comes to it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        news.signal()
    }

    private func runJobs() {
        while let job = jobs.withLock({ $0.popLast() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    private func finish(_ result: Result<Value, any Error>) {
        outcome.withLock { $0 = result }
        news.signal()
    }

    /// Runs a function and returns its result.
    public static func run(_ function: @escaping @Sendable () async throws -> Value) throws -> Value {
        let task = InlineTask()
        Task(executorPreference: task) {
            do { task.finish(.success(try await function())) } catch { task.finish(.failure(error)) }
        }
        while true {
            task.runJobs()
            if let outcome = task.outcome.withLock(\.self) { return try outcome.get() }
            task.news.wait()
        }
    }
}

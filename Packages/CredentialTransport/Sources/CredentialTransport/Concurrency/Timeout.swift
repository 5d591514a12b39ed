/// Runs an operation, and cancels it when time is up or the caller's task is cancelled.
///
/// It returns when the operation has ended, which must therefore react to cancellation.
///
/// - Parameters:
///   - timeout: The time for the operation.
///   - clock: The clock that measures it.
///   - missing: The thing that did not come in time, for the error's message.
///   - request: The request, for the error's path.
///   - operation: The operation.
func withTimeout<Value: Sendable>(
    _ timeout: Duration,
    _ clock: any Clock<Duration>,
    for missing: String = "no answer",
    of request: HTTPTransportRequest,
    _ operation: @Sendable @escaping () async throws(TransportError) -> Value
) async throws(TransportError) -> Value {
    let result = await withTaskGroup(of: Result<Value, TransportError>?.self) { group in
        group.addTask {
            do throws(TransportError) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
        group.addTask {
            do {
                try await clock.sleep(for: timeout.boundedForTimers)
                return .failure(TransportError(.timedOut, "\(missing) within \(timeout)"))
            } catch {
                return nil
            }
        }
        // A sleep that was cancelled says nothing: the operation, cancelled as well, does.
        while let first = await group.next() {
            guard let first else { continue }
            group.cancelAll()
            return first
        }
        return .failure(TransportError(.cancelled, "the task was cancelled"))
    }
    do {
        return try result.get()
    } catch {
        throw error.path.isEmpty ? error.inside(request.url.description) : error
    }
}

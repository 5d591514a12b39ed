#if Server
public import ServiceLifecycle

/// A part of a server with a name, which runs until it is shut down.
public struct ServicePart: Sendable {
    /// The name of the part in logs.
    public let name: String
    let service: any Service

    /// A part that is a service of its own, such as a listener.
    ///
    /// - Parameters:
    ///   - name: The name of the part in logs.
    ///   - service: Runs until it is shut down gracefully; it ends what it has begun first.
    public init(_ name: String, _ service: any Service) {
        self.name = name
        self.service = service
    }

    /// A part that is open all the time, and closed at the end, such as a store.
    ///
    /// - Parameters:
    ///   - name: The name of the part in logs.
    ///   - close: Closes it.
    public static func closing(
        _ name: String,
        _ close: @escaping @Sendable () async throws -> Void
    ) -> ServicePart {
        ServicePart(name, ClosingService(close: close))
    }
}

/// Closes something at shutdown.
private struct ClosingService: Service {
    let close: @Sendable () async throws -> Void

    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch {
            // A cancelled server closes its stores as well, in a task that is not cancelled.
            try await Task { try await close() }.value
            throw error
        }
        try await close()
    }
}
#endif

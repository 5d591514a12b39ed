import Synchronization

/// A note on the fetch that the current task serves: a failure that says nothing about the document.
///
/// Caches keep errors of many layers, whose causes they cannot see.
final class FetchNote: Sendable {
    /// The note of the fetch that the current task serves.
    @TaskLocal static var current: FetchNote?

    private let state = Atomic(false)

    /// Indicates that this process was too busy to ask for the document.
    var wasBusy: Bool { state.load(ordering: .acquiring) }

    /// Notes that this process is too busy to ask for the document.
    func setBusy() {
        state.store(true, ordering: .releasing)
    }
}

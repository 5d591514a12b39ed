import Synchronization

/// Something that can be taken out once, whichever thread comes first.
final class OneTime<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) {
        self.value = Mutex(value)
    }

    /// The value, the first time; nil ever after.
    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}

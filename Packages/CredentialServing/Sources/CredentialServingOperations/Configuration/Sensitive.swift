#if Server
/// A value that must not be printed: a key, a token, an attribute.
///
/// Descriptions, string interpolation, `dump` and mirrors show only `<redacted>`; the value is reached by
/// ``withValue(_:)`` alone, so that each use of it can be found.
///
/// ```swift
/// let key = Sensitive("s3cr3t")
/// print(key)                     // <redacted>
/// key.withValue { authenticate(with: $0) }
/// ```
public struct Sensitive<Value: Sendable>: Sendable {
    private let value: Value

    /// Wraps a value.
    public init(_ value: Value) {
        self.value = value
    }

    /// Hands the value to a closure.
    public func withValue<Result, Failure: Error>(_ body: (Value) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(value)
    }
}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text that stands in for the value.
    public var description: String { redactedText }

    /// The text that stands in for the value.
    public var debugDescription: String { redactedText }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The text that stands in for a value that is not printed.
let redactedText = "<redacted>"
#endif

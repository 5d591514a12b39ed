/// Readings of one input in turn: the first that succeeds counts, and the reasons of those before it are kept.
struct Attempts {
    /// What the input was tried as, and why it is not that.
    private(set) var failures: [String] = []

    /// Reads a form; nil, with the reason kept, where the input has another.
    mutating func read<Value>(_ form: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            failures.append("not \(form): \(error)")
            return nil
        }
    }
}

extension Outline {
    /// A value that may not be readable: then the reason stands in its place.
    static func readable(_ body: () throws -> Outline?) -> Outline? {
        do {
            return try body()
        } catch {
            return .text("not readable: \(error)")
        }
    }
}

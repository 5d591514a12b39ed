import CommandSupport

/// Attempts to read one input in several forms: the first success counts, and the reasons of earlier failures are kept.
struct Attempts {
    /// The attempted forms, with the reasons of their failures.
    private(set) var failures: [String] = []

    /// Reads a form; on failure, keeps the reason and returns nil.
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
    /// The outline of a value, or the reason that it cannot be read.
    static func readable(_ body: () throws -> Outline?) -> Outline? {
        do {
            return try body()
        } catch {
            return .text("not readable: \(error)")
        }
    }
}

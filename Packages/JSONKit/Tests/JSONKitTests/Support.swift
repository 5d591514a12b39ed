import Foundation
import JSONKit
import Testing

/// The error that reading a text ends with.
func refusal(of text: String, limits: JSONLimits = .default) throws -> JSONError {
    try refusal(of: Array(text.utf8), limits: limits)
}

/// The error that reading bytes ends with.
func refusal(of bytes: [UInt8], limits: JSONLimits = .default) throws -> JSONError {
    try #require(throws: JSONError.self) { try JSONDocument(bytes, limits: limits) }
}

/// Runs a closure on a thread with a small stack and waits for it.
func withStack<Value: Sendable>(of size: Int, _ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try body() }) }
        thread.stackSize = size
        thread.start()
    }
}

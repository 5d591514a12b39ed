import StatusListKit
import Testing
import VerificationCore

/// Expects a refusal with a code, and perhaps at a member.
func expectRefusal<Value>(
    _ code: StatusListError.Code,
    at member: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    let error = #expect(throws: StatusListError.self, sourceLocation: sourceLocation) { _ = try body() }
    guard let error else { return }
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    if let member { #expect(error.path.last == member, "\(error)", sourceLocation: sourceLocation) }
}

/// Expects a refusal with a code.
func expectRefusal<Value>(
    _ code: StatusListError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: StatusListError.self, sourceLocation: sourceLocation) { _ = try await body() }
    if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
}

/// Expects that a verification refuses for a reason, and perhaps at a member.
func expectRefused<Value>(
    _ reason: Reason,
    at member: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let refusal = await #expect(throws: Refusal.self, sourceLocation: sourceLocation) { _ = try await body() }
    guard let refusal else { return }
    #expect(refusal.reason == reason, "\(refusal)", sourceLocation: sourceLocation)
    if let member { #expect(refusal.path.last == member, "\(refusal)", sourceLocation: sourceLocation) }
}

import JOSEKit
import Testing

/// Expects a JOSE error of the given code, whose path ends in the given member if one is given.
func expectRefusal<Value>(
    _ code: JOSEError.Code,
    at member: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    let error = #expect(throws: JOSEError.self, sourceLocation: sourceLocation) { _ = try body() }
    expect(error, code, member, sourceLocation)
}

/// Expects a JOSE error of the given code, whose path ends in the given member if one is given.
func expectRefusal<Value>(
    _ code: JOSEError.Code,
    at member: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: JOSEError.self, sourceLocation: sourceLocation) { _ = try await body() }
    expect(error, code, member, sourceLocation)
}

private func expect(_ error: JOSEError?, _ code: JOSEError.Code, _ member: String?, _ location: SourceLocation) {
    guard let error else { return }
    #expect(error.code == code, "\(error)", sourceLocation: location)
    if let member { #expect(error.path.last == member, "\(error)", sourceLocation: location) }
}

/// A compact JWS or another text of parts, of headers and contents that are written out.
func compact(_ parts: String...) -> String {
    parts.map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
}

extension Verification {
    /// Expects a refusal for a reason, whose path ends in the given member if one is given.
    func expectRefusal(
        _ reason: Reason,
        at member: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(refusal?.reason == reason, "\(checks)", sourceLocation: sourceLocation)
        if let member { #expect(refusal?.path.last == member, "\(checks)", sourceLocation: sourceLocation) }
    }
}

import COSEKit
import TestSupport
import Testing

/// Expects a COSE error of the given code, whose path ends in the given field if one is given.
func expectRefusal<Value>(
    _ code: COSEError.Code,
    at field: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    let error = #expect(throws: COSEError.self, sourceLocation: sourceLocation) { _ = try body() }
    expect(error, code, field, sourceLocation)
}

/// Expects a COSE error of the given code, whose path ends in the given field if one is given.
func expectRefusal<Value>(
    _ code: COSEError.Code,
    at field: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: COSEError.self, sourceLocation: sourceLocation) { _ = try await body() }
    expect(error, code, field, sourceLocation)
}

private func expect(_ error: COSEError?, _ code: COSEError.Code, _ field: String?, _ location: SourceLocation) {
    guard let error else { return }
    #expect(error.code == code, "\(error)", sourceLocation: location)
    if let field { #expect(error.path.last == field, "\(error)", sourceLocation: location) }
}

/// The bytes of a figure or another hexadecimal text.
func bytes(_ hex: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [UInt8] {
    try #require([UInt8](hex: hex), sourceLocation: sourceLocation)
}

/// The content of the RFCs' examples.
let content = Array("This is the content.".utf8)

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

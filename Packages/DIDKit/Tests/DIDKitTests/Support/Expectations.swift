import DIDKit
import Foundation
import JOSEKit
import Testing

/// Expects an error of the given code.
func expectRefusal<Value>(
    _ code: DIDError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: DIDError.self, sourceLocation: sourceLocation) { _ = try await body() }
    if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
}

/// The time of all tests.
let now = Date(timeIntervalSince1970: 1_800_000_000)

extension DIDResolver {
    /// The key of a DID URL, or the only one of a DID, for a purpose.
    func key(
        for text: String,
        _ relationship: VerificationRelationship = .assertionMethod,
        at time: Date = now
    ) async throws -> JWK {
        guard text.contains("#") else {
            return try await document(of: DID(text), at: time).onlyVerificationMethod(for: relationship, at: time).jwk()
        }
        return try await verificationMethod(DIDURL(text), for: relationship, at: time).jwk()
    }
}

/// Base58btc by long division, independent of the reader and the writer.
func base58(_ bytes: [UInt8]) -> String {
    let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
    var (number, text) = (bytes.map(Int.init), "")
    while number.contains(where: { $0 != 0 }) {
        var rest = 0
        for index in number.indices {
            (number[index], rest) = ((rest * 256 + number[index]) / 58, (rest * 256 + number[index]) % 58)
        }
        text = String(alphabet[rest]) + text
    }
    return String(repeating: "1", count: bytes.prefix { $0 == 0 }.count) + text
}

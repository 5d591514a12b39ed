import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

@testable import IRMAMessages

extension JSONValue {
    /// The elements of an array, or none.
    var list: [JSONValue] { arrayValue ?? [] }

    /// The member with a name, or null.
    func member(_ name: String) -> JSONValue { self[name] ?? .null }

    /// The integer in decimal text.
    func decimalInteger() throws -> BigInteger {
        let text = try #require(stringValue)
        return try #require(BigInteger(decimal: text))
    }
}

/// The folder of recorded sessions.
enum Recorded {
    static let set = VectorSet("irma")

    static let files = set.files(withExtension: "json").filter { !$0.path.hasPrefix("irma_configuration/") }

    /// The schemes that the sessions were recorded with.
    static func schemes() async throws -> SchemeSnapshot {
        let url = try #require(set.url).appendingPathComponent("irma_configuration", isDirectory: true)
        return try await SchemeDirectory(opening: url).snapshot()
    }
}

/// Expects an error of a code, whose path has a component if one is given.
func expectRefusal<Value>(
    _ code: IRMAError.Code,
    at component: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    let error = #expect(throws: IRMAError.self, sourceLocation: sourceLocation) { _ = try body() }
    expect(error, code, component, sourceLocation)
}

/// Expects an error of a code, whose path has a component if one is given.
func expectRefusal<Value>(
    _ code: IRMAError.Code,
    at component: String? = nil,
    isolation: isolated (any Actor)? = #isolation,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Value
) async {
    let error = await #expect(throws: IRMAError.self, sourceLocation: sourceLocation) { _ = try await body() }
    expect(error, code, component, sourceLocation)
}

private func expect(_ error: IRMAError?, _ code: IRMAError.Code, _ component: String?, _ location: SourceLocation) {
    guard let error else { return }
    #expect(error.code == code, "\(error)", sourceLocation: location)
    if let component { #expect(error.path.contains(component), "\(error)", sourceLocation: location) }
}

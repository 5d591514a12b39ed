import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

/// Every proof, commitment, signature and revocation message of recorded sessions, read and written again.
@Suite(.enabled(if: VectorSet("irma").isAvailable, VectorSet.absence))
struct RecordedWireFormTests {
    @Test(arguments: VectorSet("irma").files(withExtension: "json"))
    func writesWhatItRead(file: VectorFile) throws {
        var counts: [String: Int] = [:]
        var open = [try JSONValue(parsing: file.bytes())]
        while let value = open.popLast() {
            if let name = try roundTrip(value) { counts[name, default: 0] += 1 }
            open += value.arrayValue ?? []
            open += value.objectValue?.values ?? []
        }
        let figures = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let reason = "holds no message of IdemixCore"
        file.report(ran: counts.values.reduce(0, +), passedOver: counts.isEmpty ? [(file.path, reason)] : [])
        if !figures.isEmpty { print("vectors:   \(figures)") }
    }

    /// The name of the message that the value is, after it has been read and written again; nil for any other value.
    private func roundTrip(_ value: JSONValue) throws -> String? {
        func has(_ names: String...) -> Bool { names.allSatisfy { value[$0] != nil } }
        if let members = value.arrayValue {
            let isList = members.allSatisfy { $0["c"]?.stringValue != nil && ($0["A"] ?? $0["U"])?.stringValue != nil }
            return members.isEmpty || !isList ? nil : try check(IdemixProofList.self, value)
        }
        guard value.objectValue != nil else { return nil }
        if has("c", "A", "e_response") { return try check(IdemixDisclosureProof.self, value) }
        if has("c", "U", "s_response") { return try check(IssuanceCommitmentProof.self, value) }
        if has("c", "s_response") { return try check(KeyshareResponse.self, value) }
        if has("c", "e_response") { return try check(IssuerSignatureProof.self, value) }
        if has("A", "e", "v", "KeyshareP") { return try check(CLSignature.self, value) }
        if has("C_r", "C_u") { return try check(NonRevocationProof.self, value) }
        if has("proof", "signature") { return try check(IssuedCLSignature.self, value) }
        if has("u", "e", "sacc") { return try check(ReceivedWitness.self, value) }
        if has("sacc", "e") { return try check(RevocationUpdate.self, value) }
        if has("data", "pk") { return try check(SignedAccumulator.self, value) }
        if has("i", "hash", "e") { return try check(RevocationEventList.self, value) }
        return nil
    }

    private func check<Message: IdemixJSON>(_ type: Message.Type, _ value: JSONValue) throws -> String {
        #expect(try Message(json: value).json() == value)
        #expect(try Message(decoding: value.encoded()).json() == value)
        return "\(type)"
    }
}

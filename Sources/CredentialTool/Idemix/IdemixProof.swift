import Foundation
import IdemixCore
import JSONKit

/// A proof in JSON: a disclosure (ProofD) where it has A, a commitment (ProofU) where it has U.
struct IdemixProof {
    let kind: String
    let outline: Outline

    /// Reads a proof; nil for any other JSON.
    ///
    /// - Throws: ``ToolError`` for a number of the proof that is not in base64, or an index that is not a number.
    init?(_ json: JSONValue) throws {
        guard json["c"]?.stringValue != nil else { return nil }
        if json["A"]?.stringValue != nil {
            kind = "Idemix disclosure proof (ProofD)"
            outline = try Self.disclosure(json)
        } else if json["U"]?.stringValue != nil {
            kind = "Idemix commitment proof (ProofU)"
            outline = try Self.commitment(json)
        } else {
            return nil
        }
    }

    private static func disclosure(_ json: JSONValue) throws -> Outline {
        let disclosed = try integers(json, "a_disclosed")
        let metadata = IdemixOutline.Metadata(disclosed[1])
        let encoding = metadata.encoding
        let attributes = disclosed.filter { $0.key != 1 }.sorted { $0.key < $1.key }.map { index, integer in
            (name: "\(index)", value: IdemixOutline.attribute(integer, encoding))
        }
        let ranges = try json["rangeproofs"]?.objectValue.map { try statements($0) }
        return .fields([
            "A": .text(try bits(json, "A")),
            "metadata": metadata.outline ?? "not disclosed",
            "disclosed": .fields(attributes),
            "hidden": .text(indices(try integers(json, "a_responses"))),
            "non-revocation": try present(json["nonrev_proof"]).map { try IdemixMessages.accumulator($0["sacc"]) },
            "range proofs": ranges,
        ])
    }

    private static func commitment(_ json: JSONValue) throws -> Outline {
        .fields([
            "U": .text(try bits(json, "U")),
            "random-blind": .text(indices(try integers(json, "m_user_responses"))),
        ])
    }

    private static func statements(_ object: JSONObject) throws -> Outline {
        .fields(
            try object.map { index, proofs in
                let texts = try (proofs.arrayValue ?? []).map { proof in
                    let factor = proof["a"]?.numberValue?.text ?? "1"
                    let isUpperBound = proof["sign"]?.numberValue?.text == "-1"
                    let bound = try integer(proof, "k").decimal
                    return Outline.text("\(factor)·m \(isUpperBound ? "≤" : "≥") \(bound)")
                }
                return (name: index, value: .list(texts))
            }
        )
    }

    /// The value, or nil where it is null or absent.
    static func present(_ json: JSONValue?) -> JSONValue? {
        guard let json, !json.isNull else { return Optional.none }
        return json
    }

    /// An integer in base64 of its big-endian bytes; a bare number is taken too, as the other implementation does.
    static func integer(_ json: JSONValue, _ name: String) throws(ToolError) -> BigInteger {
        guard let integer = integer(json[name]) else { throw ToolError("\(name) is no integer in base64") }
        return integer
    }

    /// The integers of an object by base index; none where it is absent.
    static func integers(_ json: JSONValue, _ name: String) throws(ToolError) -> [Int: BigInteger] {
        guard let object = present(json[name]) else { return [:] }
        guard let object = object.objectValue else { throw ToolError("\(name) is no object") }
        var integers: [Int: BigInteger] = [:]
        for (index, value) in object {
            guard let index = Int(index), let integer = integer(value) else {
                throw ToolError("\(name) does not map indices to integers in base64")
            }
            integers[index] = integer
        }
        return integers
    }

    static func integer(_ json: JSONValue?) -> BigInteger? {
        switch json {
        case .string(let text): Data(base64Encoded: text).map { BigInteger(bytes: $0) }
        case .number(let number): BigInteger(decimal: number.text).flatMap { $0.isNegative ? nil : $0 }
        default: nil
        }
    }

    private static func bits(_ json: JSONValue, _ name: String) throws -> String {
        "\(try integer(json, name).bitCount) bits"
    }

    static func indices(_ integers: [Int: BigInteger]) -> String {
        integers.isEmpty ? "none" : integers.keys.sorted().map(String.init).joined(separator: ", ")
    }
}

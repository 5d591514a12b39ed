import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential that was shown, with the texts of its disclosed attributes.
struct ShownCredential {
    let disclosure: VerifiedIdemixDisclosure
    let type: CredentialTypeDescription
    /// The values by base index, without the metadata; nil for an absent optional attribute.
    let values: [Int: String?]
    /// The time before which the credential was not revoked, where the proof of that is older than tolerated.
    let notRevokedBefore: Int64?

    init(
        _ disclosure: VerifiedIdemixDisclosure,
        type: CredentialTypeDescription,
        notRevokedBefore: Int64?
    ) throws(IRMAError) {
        var values: [Int: String?] = [:]
        for (index, integer) in disclosure.attributes where index > 1 {
            guard let attribute = type.attribute(at: index) else {
                throw IRMAError(.malformed, "the credential type has no such attribute", path: ["[\(index)]"])
            }
            values[index] = try Self.text(of: integer, attribute, disclosure.metadata.encoding)
        }
        self.disclosure = disclosure
        self.type = type
        self.values = values
        self.notRevokedBefore = notRevokedBefore
    }

    private static func text(
        of integer: BigInteger,
        _ attribute: AttributeDescription,
        _ encoding: AttributeEncoding
    ) throws(IRMAError) -> String? {
        guard !attribute.isRandomBlind else { return AttributeEncoding.randomBlindText(of: integer) }
        guard !attribute.isRevocation else { return integer.decimal }
        do throws(IdemixError) {
            return try encoding.text(of: integer)
        } catch {
            throw IRMAError(.malformed, error.message, path: [attribute.name], cause: error)
        }
    }

    /// The value at a base index, which is nil for an absent attribute; nil if the attribute is hidden.
    ///
    /// A type may have grown since the credential was issued: attributes behind its last one are absent.
    func value(at index: Int) -> String?? {
        if let value = values[index] { return value }
        return index > disclosure.lastIndex && type.attribute(at: index) != nil ? .some(nil) : nil
    }

    /// The attribute for a request, or nil if the place does not answer it.
    func attribute(at index: Int, answering request: AttributeRequest) -> DisclosedAttribute? {
        guard request.type.credentialType == type.id else { return nil }
        guard let name = request.type.attribute else {
            return index == 1 ? described(request.type, value: "present", .present) : nil
        }
        guard type.baseIndex(of: name) == index, let value = value(at: index), request.isSatisfied(by: value) else {
            return nil
        }
        return described(request.type, value: value, value == nil ? .null : .present)
    }

    /// The attributes at base indices, which were not asked for.
    func extras(at indices: some Sequence<Int>) -> [DisclosedAttribute] {
        indices.sorted().compactMap { index in
            guard let attribute = type.attribute(at: index), !attribute.isRevocation else { return nil }
            let id = AttributeIdentifier(type.id, attribute: attribute.name)
            return described(id, value: values[index] ?? nil, .extra)
        }
    }

    /// All disclosed attributes; the credential as a whole if only the metadata are.
    var all: [DisclosedAttribute] {
        guard !values.isEmpty else { return [described(AttributeIdentifier(type.id.text), value: "present", .present)] }
        return values.sorted { $0.key < $1.key }.compactMap { index, value in
            guard let attribute = type.attribute(at: index), !attribute.isRevocation else { return nil }
            let id = AttributeIdentifier(type.id, attribute: attribute.name)
            return described(id, value: value, value == nil ? .null : .present)
        }
    }

    private func described(_ id: AttributeIdentifier, value: String?, _ status: AttributeStatus) -> DisclosedAttribute {
        DisclosedAttribute(
            id,
            rawValue: value,
            status: status,
            issuanceTime: Int64(disclosure.metadata.signingDate.timeIntervalSince1970),
            isNotRevoked: disclosure.accumulator != nil,
            notRevokedBefore: notRevokedBefore
        )
    }
}

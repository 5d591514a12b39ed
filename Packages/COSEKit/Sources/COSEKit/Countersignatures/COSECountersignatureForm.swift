/// The two generations of countersignatures.
public enum COSECountersignatureForm: Hashable, Sendable {
    /// RFC 9338: labels 11 and 12; covers signature and tag of the target.
    case version2
    /// RFC 8152: labels 7 and 9, deprecated; never covers the signature or tag of a COSE_Sign1, COSE_Mac or COSE_Mac0,
    /// so that it says nothing about them.
    case rfc8152

    /// The header parameter of full countersignatures.
    var label: COSELabel { self == .version2 ? .counterSignatureV2 : .counterSignature }

    /// The header parameter of the abbreviated countersignature.
    var abbreviatedLabel: COSELabel { self == .version2 ? .counterSignature0V2 : .counterSignature0 }

    /// `Countersign_structure` (RFC 9338 section 3.3), or its predecessor (RFC 8152 section 4.5).
    ///
    /// - Parameters:
    ///   - signer: The protected headers of a full countersignature, nil for an abbreviated one.
    ///   - target: The structure to countersign.
    ///   - content: The target's content.
    ///   - externalAAD: Data that the application authenticates along with it.
    func structure(
        signer: ArraySlice<UInt8>?,
        target: COSECountersignatureTarget,
        content: ArraySlice<UInt8>,
        externalAAD: [UInt8]
    ) -> AuthenticatedStructure {
        let otherFields = self == .version2 ? target.otherFields : []
        let context = signer == nil ? "CounterSignature0" : "CounterSignature"
        // RFC 9338 leaves the field out of an abbreviated countersignature; RFC 8152 has it, without content.
        let signer = signer ?? (self == .rfc8152 ? [] : nil)
        let signerFields = signer.map { [$0] } ?? []
        return AuthenticatedStructure(
            context: otherFields.isEmpty ? context : context + "V2",
            fields: [target.protectedBytes] + signerFields + [externalAAD[...], content],
            otherFields: otherFields
        )
    }
}

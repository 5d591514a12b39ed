import CBORKit
public import CryptoCore
public import MdocKit

extension RICAL {
    /// A certificate that a RICAL lists (F.3.2.2).
    public struct CertificateInfo: Sendable {
        /// The entry's place in the list, counted from 0.
        public let index: Int
        /// The certificate of the authority.
        public let certificate: Certificate
        /// The type of the certificate, such as `urn:eu:rp:registration-certificate`.
        public let type: String?
        /// The name of the authority, for people.
        public let name: String?
        /// Indicates a trust anchor; otherwise the certificate is an authority below one, listed for its constraints.
        ///
        /// `true` if the list does not say: only the draft's prose has the member, and only it requires it.
        public let isTrustAnchor: Bool
        /// The key identifier of the issuer of an authority below another.
        public let authorityKeyIdentifier: [UInt8]?
        /// Under which conditions the readers below this authority are trusted: one of them must hold; empty for none.
        public let trustConstraints: [ReaderTrustConstraint]
        /// The list's statements about the certificate.
        public let stated: StatedCertificate
        /// The deviations from the standard that were tolerated in this entry.
        public let deviations: [MdocDeviation]
    }
}

extension RICAL.CertificateInfo: TrustListEntry {
    init(_ view: CBORView, index: Int, _ reading: inout Reading, _ limits: TrustListLimits) throws(MdocError) {
        let map = try cbor(view.map())
        self.index = index
        certificate = try reading.certificate(try cbor(map.required("certificate")))
        type = try reading.optionalText(map, "type")
        name = try reading.optionalText(map, "name")
        isTrustAnchor =
            try map.value(forKey: "isTrustAnchor").map { (view) throws(MdocError) in try cbor(view.bool()) }
            ?? true
        authorityKeyIdentifier = try map.value(forKey: "aki").map { (view) throws(MdocError) in
            Array(try cbor(view.bytes()))
        }
        // The draft's CDDL leaves a letter out. An entry with both spellings means both, so neither is ignored.
        trustConstraints =
            try Self.constraints(map.value(forKey: "trustConstraints"), &reading, limits)
            + Self.constraints(map.value(forKey: "trustContraints"), &reading, limits)
        stated = try StatedCertificate(map, about: certificate, &reading)
        deviations = reading.deviations
    }

    private static func constraints(
        _ view: CBORView?,
        _ reading: inout Reading,
        _ limits: TrustListLimits
    ) throws(MdocError) -> [ReaderTrustConstraint] {
        guard let view else { return [] }
        return try reading.list(view, limit: limits.itemsPerEntry, of: "trust constraints", mayBeEmpty: true)
    }
}

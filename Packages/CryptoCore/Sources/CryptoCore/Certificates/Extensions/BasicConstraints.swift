/// The subject's role as a certificate authority, and the largest length of a path below it (RFC 5280, 4.2.1.9).
public struct BasicConstraints: Hashable, Sendable {
    /// cA.
    public let isCertificateAuthority: Bool

    /// pathLenConstraint: how many intermediate certificates that are not self-issued may follow below; nil for any
    /// number.
    ///
    /// Only there where ``isCertificateAuthority`` is true.
    public let pathLength: Int?

    /// The deviations of the encoding: an explicit cA FALSE, a TRUE other than FF, a pathLenConstraint without cA.
    let deviations: CertificateEncodingDeviations

    init(isCertificateAuthority: Bool, pathLength: Int?, deviations: CertificateEncodingDeviations = []) {
        self.isCertificateAuthority = isCertificateAuthority
        self.pathLength = pathLength
        self.deviations = deviations
    }
}

extension BasicConstraints: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var deviations: CertificateEncodingDeviations = []
        var sequence = try reader.enter(DERReader.Tag.sequence, "BasicConstraints")
        let flag = try sequence.nextIfPresent(DERReader.Tag.boolean)
        let isAuthority = try flag.map { (flag) throws(CryptoError) in try Self.authority(flag, &deviations) } ?? false
        let length = try sequence.nextIfPresent(DERReader.Tag.integer)
        let pathLength = try length.map { element throws(CryptoError) in
            try element.smallNumber("pathLenConstraint")
        }
        try sequence.finish()
        if !isAuthority, pathLength != nil { deviations.insert(.idlePathLength) }
        self.init(
            isCertificateAuthority: isAuthority,
            pathLength: isAuthority ? pathLength : nil,
            deviations: deviations
        )
    }

    /// Reads cA, which authorities in use have as any octet but 00, as BER has TRUE.
    private static func authority(
        _ flag: DERElement,
        _ deviations: inout CertificateEncodingDeviations
    ) throws(CryptoError) -> Bool {
        guard flag.contents.count == 1, flag.contents.first != 0x00, flag.contents.first != 0xff else {
            let isAuthority = try flag.boolean("cA")
            if !isAuthority { deviations.insert(.explicitDefault) }
            return isAuthority
        }
        deviations.insert(.looseBoolean)
        return true
    }

    var derValue: DERValue {
        let flag: [DERValue] = isCertificateAuthority ? [.boolean(true)] : []
        return .sequence(flag + (pathLength.map { [.integer($0)] } ?? []))
    }
}

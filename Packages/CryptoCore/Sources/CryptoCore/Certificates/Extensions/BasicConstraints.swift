/// Whether the subject is a certificate authority, and how long a path below it may be (RFC 5280, 4.2.1.9).
public struct BasicConstraints: Hashable, Sendable {
    /// cA.
    public let isCertificateAuthority: Bool

    /// pathLenConstraint: how many intermediate certificates that are not self-issued may follow below; nil for any
    /// number.
    ///
    /// Only there where ``isCertificateAuthority`` is true.
    public let pathLength: Int?

    /// Whether the encoding wrote out cA FALSE, which DER leaves out.
    let hasExplicitDefault: Bool

    /// Whether the encoding had a pathLenConstraint without cA, which means nothing.
    let hasIdlePathLength: Bool

    init(
        isCertificateAuthority: Bool,
        pathLength: Int?,
        hasExplicitDefault: Bool = false,
        hasIdlePathLength: Bool = false
    ) {
        self.isCertificateAuthority = isCertificateAuthority
        self.pathLength = pathLength
        self.hasExplicitDefault = hasExplicitDefault
        self.hasIdlePathLength = hasIdlePathLength
    }
}

extension BasicConstraints: EncodableExtensionValue {
    init(from reader: inout DERReader) throws(CryptoError) {
        var sequence = try reader.enter(DERReader.Tag.sequence, "BasicConstraints")
        let flag = try sequence.nextIfPresent(DERReader.Tag.boolean)
        let isCertificateAuthority = try flag.map { element throws(CryptoError) in try element.boolean("cA") }
        let length = try sequence.nextIfPresent(DERReader.Tag.integer)
        let pathLength = try length.map { element throws(CryptoError) in
            try element.smallNumber("pathLenConstraint")
        }
        try sequence.finish()
        let isAuthority = isCertificateAuthority ?? false
        self.init(
            isCertificateAuthority: isAuthority,
            pathLength: isAuthority ? pathLength : nil,
            hasExplicitDefault: isCertificateAuthority == false,
            hasIdlePathLength: !isAuthority && pathLength != nil
        )
    }

    var derValue: DERValue {
        let flag: [DERValue] = isCertificateAuthority ? [.boolean(true)] : []
        return .sequence(flag + (pathLength.map { [.integer($0)] } ?? []))
    }
}

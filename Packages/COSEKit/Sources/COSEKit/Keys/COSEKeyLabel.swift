/// The labels of COSE_Key's members (RFC 9052 section 7.1, RFC 9053 section 7, RFC 8230).
enum COSEKeyLabel {
    static let kty: COSELabel = 1
    static let kid: COSELabel = 2
    static let alg: COSELabel = 3
    static let keyOperations: COSELabel = 4
    static let baseIV: COSELabel = 5

    static let crv: COSELabel = -1
    static let x: COSELabel = -2
    static let y: COSELabel = -3
    static let d: COSELabel = -4

    static let k: COSELabel = -1

    static let n: COSELabel = -1
    static let e: COSELabel = -2
    static let rsaD: COSELabel = -3
    static let p: COSELabel = -4
    static let q: COSELabel = -5
    static let dP: COSELabel = -6
    static let dQ: COSELabel = -7
    static let qInverse: COSELabel = -8
    static let otherPrimes: COSELabel = -9
}

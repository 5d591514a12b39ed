import CryptoCore
import Foundation
import JOSEKit
import SDJWTKit

/// The keys of issuers by the options of the command line: one that is named, or those whose certificates lead to an anchor.
struct IssuerKeys: IssuerKeyResolver {
    private let key: JWSKey?
    private let certificates: X509IssuerKeys

    init(key: JWSKey?, anchors: [Certificate]) {
        self.key = key
        certificates = X509IssuerKeys(anchors: anchors, nameRule: .notCompared)
    }

    func key(for header: JOSEHeader, issuer: String?, at time: Date) throws(SDJWTError) -> IssuerKey {
        if let key { return IssuerKey(key) }
        return try certificates.key(for: header, issuer: issuer, at: time)
    }
}

public import CBORKit
public import COSEKit

extension StatusReference {
    /// Reads the structure `Status` of a CWT or mdoc (Token Status List, section 6.3).
    ///
    /// - Returns: Nil if it names other mechanisms only.
    /// - Throws: ``StatusListError/Code/invalidReference``.
    public init?(status view: CBORView) throws(StatusListError) {
        let mechanisms: CBORMapView
        do {
            mechanisms = try view.map()
        } catch {
            throw StatusListError(.invalidReference, error.message, path: ["status"], cause: error)
        }
        guard !mechanisms.isEmpty else {
            throw StatusListError(.invalidReference, "a mechanism is expected", path: ["status"])
        }
        guard let value = mechanisms.value(forKey: "status_list") else { return nil }
        try self.init(statusList: value)
    }

    /// Reads the structure `StatusListInfo`, with the member `certificate` that ISO/IEC 18013-5 adds.
    ///
    /// - Throws: ``StatusListError/Code/invalidReference``.
    public init(statusList view: CBORView) throws(StatusListError) {
        let index: Int
        let uri: String
        let certificate: [UInt8]?
        do {
            let members = try view.map()
            index = try members.required("idx").integer(as: Int.self)
            uri = try members.required("uri").text()
            certificate = try members.value(forKey: "certificate")?.bytes().map { $0 }
        } catch {
            throw Self.invalid(error.message, at: nil, cause: error)
        }
        try self.init(index: index, uri: uri, certificate: certificate)
    }

    /// The structure `Status`.
    public var cbor: CBOR {
        var members: CBORMap = ["idx": .integer(index), "uri": .text(uri)]
        if let certificate { members["certificate"] = .bytes(certificate) }
        return ["status_list": .map(members)]
    }
}

extension CWTClaims {
    /// The reference to the token's status (claim 65535, `status`), or nil if it names no list.
    ///
    /// - Throws: ``StatusListError/Code/invalidReference``.
    public func statusReference() throws(StatusListError) -> StatusReference? {
        let view: CBORView?
        do {
            view = try self.view(.claimStatus)
        } catch {
            throw StatusListError(.invalidReference, error.message, path: ["status"], cause: error)
        }
        guard let view else { return nil }
        return try StatusReference(status: view)
    }
}

extension COSELabel {
    /// The reference to the status of a CWT (`status`, Token Status List, section 6.3).
    public static let claimStatus: COSELabel = 65535
    /// The number of seconds for which a status list token may be cached (`ttl`).
    public static let claimTimeToLive: COSELabel = 65534
    /// The list in a status list token (`status_list`).
    public static let claimStatusList: COSELabel = 65533
}

/// A namespace of data elements, such as `org.iso.18013.5.1`; an open set, matched exactly.
public struct NameSpace: ExactName {
    /// The name as it travels.
    public let text: String

    /// Creates a namespace.
    public init(_ text: String) {
        self.text = text
    }

    /// The data elements of the mobile driving licence (ISO/IEC 18013-5, 7.2).
    public static let mDL: NameSpace = "org.iso.18013.5.1"
}

extension NameSpace {
    /// The data elements of the American Association of Motor Vehicle Administrators.
    public static let aamva: NameSpace = "org.iso.18013.5.1.aamva"
    /// The data elements that mobile documents share (ISO/IEC TS 23220-2).
    public static let iso23220: NameSpace = "org.iso.23220.1"
    /// The further data elements of the photo ID.
    public static let photoID: NameSpace = "org.iso.23220.photoID.1"
    /// The data groups of a digital travel credential.
    public static let digitalTravelCredential: NameSpace = "org.iso.23220.dtc.1"
    /// The person identification data of the European Digital Identity Wallet.
    public static let euPID: NameSpace = "eu.europa.ec.eudi.pid.1"
    /// The person identification data as early tests spelled it.
    public static let euPIDEarly: NameSpace = "eu.europa.ec.eudiw.pid.1"
    /// The statements of age of the European age verification.
    public static let euAgeVerification: NameSpace = "eu.europa.ec.av.1"
    /// The attestations of the vaccination certificate.
    public static let vaccinationAttestation: NameSpace = "org.micov.attestation.1"
    /// The vaccination, test and recovery records of the vaccination certificate.
    public static let vaccinationRecords: NameSpace = "org.micov.vtr.1"

    /// The namespace of a country or region for its own data elements of the mobile driving licence.
    ///
    /// - Parameter code: An ISO 3166 code, such as `US` or `US-IA`.
    public static func domesticMDL(_ code: String) -> NameSpace {
        NameSpace("\(NameSpace.mDL).\(code)")
    }

    /// The namespace of a country for its own person identification data.
    ///
    /// - Parameter country: An ISO 3166-1 alpha-2 code, in lower case as in the namespace.
    public static func nationalPID(_ country: String) -> NameSpace {
        NameSpace("eu.europa.ec.eudi.pid.\(country).1")
    }
}

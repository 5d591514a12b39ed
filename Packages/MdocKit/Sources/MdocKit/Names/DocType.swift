/// The type of a document, such as `org.iso.18013.5.1.mDL`; an open set, matched exactly.
public struct DocType: ExactName {
    /// The name as it travels.
    public let text: String

    /// Creates a document type.
    public init(_ text: String) {
        self.text = text
    }

    /// The mobile driving licence of ISO/IEC 18013-5.
    public static let mDL: DocType = "org.iso.18013.5.1.mDL"
}

extension DocType {
    /// The photo ID of ISO/IEC TS 23220-4.
    public static let photoID: DocType = "org.iso.23220.photoID.1"
    /// The photo ID as later drafts and trust lists spell it.
    public static let photoIDLowercase: DocType = "org.iso.23220.photoid.1"
    /// The person identification data of the European Digital Identity Wallet.
    public static let euPID: DocType = "eu.europa.ec.eudi.pid.1"
    /// The person identification data as early tests spelled it.
    public static let euPIDEarly: DocType = "eu.europa.ec.eudiw.pid.1"
    /// The European age verification.
    public static let euAgeVerification: DocType = "eu.europa.ec.av.1"
    /// The European health insurance card.
    public static let euHealthInsuranceCard: DocType = "eu.europa.ec.eudi.ehic.1"
    /// The mobile vehicle registration certificate of ISO/IEC 7367.
    public static let vehicleRegistration: DocType = "org.iso.7367.1.mVRC"
    /// The vehicle registration certificate of the Netherlands.
    public static let dutchVehicleRegistration: DocType = "nl.rdw.mekb.1"
    /// The mobile international certificate of vaccination.
    public static let vaccination: DocType = "org.micov.1"
}

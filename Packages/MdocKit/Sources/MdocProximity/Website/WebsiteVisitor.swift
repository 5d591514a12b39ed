import CBORKit
import COSEKit
public import CryptoCore
public import MdocKit

/// A wallet that was called by a website's link and has not had a request (ISO/IEC TS 18013-7, Annex A).
///
/// It posts ``message`` to ``uri``, and takes the body of the answer. It is used up by that, whatever came. The session
/// that comes of it is a ``DeviceSessionMachine`` over the bodies of HTTP.
public struct WebsiteVisitor: ~Copyable, Sendable {
    /// The website's engagement.
    public let readerEngagement: ReaderEngagement
    /// The wallet's engagement.
    public let deviceEngagement: DeviceEngagement
    /// The address for the wallet's answers.
    public let uri: String

    private let key: PrivateKey
    private let options: MdocReadingOptions

    /// Follows a link.
    ///
    /// - Parameters:
    ///   - link: The link: `mdoc://` and the website's engagement.
    ///   - domain: The domain of the website that the wallet was called from, as the system tells; empty if it does
    ///     not.
    ///   - curves: The curves that the wallet's key may be on, the preferred one first. The website's is taken if it is
    ///     among them.
    ///   - capabilities: The wallet's capabilities beyond the first edition.
    ///   - random: The source of the key.
    ///   - options: The options for reading messages.
    /// - Throws: `MdocError` with code `malformedURI` for a malformed link or one without a website, `unsupportedKey`,
    ///   or another code if the link's content is not an engagement.
    public init(
        link: String,
        domain: String,
        curves: [EllipticCurve] = [.p256],
        capabilities: EngagementCapabilities? = nil,
        using random: some RandomSource = .system,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) {
        let reader = try ReaderEngagement(link: link, options: options)
        guard let uri = reader.uri else {
            throw MdocError(.malformedURI, "the link names no website to post to")
        }
        let readerCurve = try reader.eReaderKey.keyAgreementKey().curve
        let curve = curves.first { $0 == readerCurve } ?? curves.first ?? .p256
        let key = try PrivateKey.ephemeral(on: curve, using: random)
        deviceEngagement = try DeviceEngagement(
            eDeviceKey: key.publicKey,
            retrievalMethods: [],
            originInfos: [.website(domain: domain)],
            capabilities: capabilities
        )
        readerEngagement = reader
        self.key = key
        self.uri = uri
        self.options = options
    }

    /// The body of the first POST.
    public var message: [UInt8] { DeviceEngagementMessage(deviceEngagement).encoded() }

    /// Takes the body of the answer to the first POST.
    ///
    /// For keys on the same curve it must be a SessionData without a status, since a new key of the reader ends the
    /// session. Otherwise it must be a SessionEstablishment.
    public consuming func receive(_ body: [UInt8]) async -> EngagedDevice.Establishment {
        let answer: FirstAnswer
        let deviations: [MdocDeviation]
        do throws(MdocError) {
            (answer, deviations) = try FirstAnswer.read(body[...], options)
        } catch {
            return EngagedDevice.failure(.cborDecodingError, error)
        }
        if let status = answer.status { return .ended(.received(status), reply: nil) }
        let new = answer.newKey
        let eReaderKey = new?.key ?? readerEngagement.eReaderKey
        let curvesAgree = (try? readerEngagement.eReaderKey.keyAgreementKey())?.curve == key.publicKey.curve
        guard curvesAgree == (new == nil) else {
            let message = curvesAgree ? "a new key came although the curves agree" : "no key on the wallet's curve came"
            return EngagedDevice.failure(.encryptionError, MdocError(.unsupportedKey, message))
        }
        let transcript = SessionTranscript(
            deviceEngagementBytes: deviceEngagement.taggedBytes,
            eReaderKeyBytes: new?.bytes ?? [UInt8](readerEngagement.eReaderKeyBytes),
            handover: .website(readerEngagementBytes: readerEngagement.taggedBytes)
        )
        return await EngagedDevice.establish(
            with: answer.data,
            eReaderKey,
            transcript,
            key,
            options,
            readerEngagement.deviations.within("readerEngagement") + deviations.within("sessionData")
        )
    }

    /// A SessionData or a SessionEstablishment.
    private struct FirstAnswer: MdocReadable {
        let newKey: (key: COSEKey, bytes: [UInt8])?
        let data: ArraySlice<UInt8>
        let status: SessionData.Status?

        package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
            let map = try cbor(view.map())
            let sessionData = try SessionData(view, &reading)
            guard sessionData.data != nil || sessionData.status != nil else {
                throw MdocError(.missingMember, "there is neither data nor status", at: view)
            }
            status = sessionData.status
            data = sessionData.data ?? []
            newKey = try map.value(forKey: "eReaderKey").map { (view) throws(MdocError) in
                (try reading.key(try reading.embedded(view)), [UInt8](view.encodedBytes))
            }
        }
    }
}

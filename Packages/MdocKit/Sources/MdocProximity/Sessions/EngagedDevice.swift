import COSEKit
public import CryptoCore
public import MdocKit

/// A wallet that has shown its engagement and waits for a reader's first message (ISO/IEC 18013-5, 12.2.4).
///
/// It takes one message and is used up by it, whatever came: an engagement serves one session. Only a device that has
/// received a good message can answer requests.
public struct EngagedDevice: ~Copyable, Sendable {
    /// The outcome of the reader's first message.
    public enum Establishment: ~Copyable, Sendable {
        /// The session stands, and this is its first request: an encoded DeviceRequest.
        case established(DeviceSessionMachine, request: [UInt8])
        /// There is no session. Send the reply, if there is one, and close the channel.
        case ended(SessionTermination, reply: [UInt8]?)
    }

    /// The engagement that readers are shown.
    public let engagement: DeviceEngagement

    private let key: any KeyAgreement
    private let options: MdocReadingOptions

    /// Takes an engagement and its key.
    ///
    /// - Throws: `MdocError` with code `keyMismatch` if the engagement shows another key.
    public init(
        engagement: DeviceEngagement,
        key: any KeyAgreement,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) {
        guard try engagement.eDeviceKey.keyAgreementKey() == key.publicKey else {
            throw MdocError(.keyMismatch, "the engagement shows another key")
        }
        self.engagement = engagement
        self.key = key
        self.options = options
    }

    /// Makes an engagement with a new key.
    ///
    /// - Parameters:
    ///   - curve: The curve of the ephemeral key.
    ///   - retrievalMethods: The methods for retrieving data; empty in an engagement over NFC.
    ///   - originInfos: The origin of the engagement.
    ///   - capabilities: The wallet's capabilities beyond the first edition.
    ///   - random: The source of the key.
    ///   - options: The options for reading messages.
    /// - Throws: `MdocError` with code `unsupportedKey` for a curve without key agreement.
    public init(
        curve: EllipticCurve = .p256,
        retrievalMethods: [DeviceRetrievalMethod],
        originInfos: [OriginInfo]? = nil,
        capabilities: EngagementCapabilities? = nil,
        using random: some RandomSource = .system,
        options: MdocReadingOptions = .strict
    ) throws(MdocError) {
        let key = try PrivateKey.ephemeral(on: curve, using: random)
        let engagement = try DeviceEngagement(
            eDeviceKey: key.publicKey,
            retrievalMethods: retrievalMethods,
            originInfos: originInfos,
            capabilities: capabilities
        )
        try self.init(engagement: engagement, key: key, options: options)
    }

    /// Takes the reader's first message.
    ///
    /// A message that cannot be read ends the session with status 11; a key that is malformed, on another curve or the
    /// wallet's own, and data that cannot be decrypted, with status 10.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - handover: The way the engagement reached the reader: `Handover.qr`, or `Handover.nfc(select:request:)`
    ///     with the messages as sent.
    public consuming func receive(_ message: [UInt8], handover: Handover = .qr) async -> Establishment {
        let establishment: SessionEstablishment
        do throws(MdocError) {
            establishment = try SessionEstablishment(decoding: message, options: options)
        } catch {
            return Self.refusal(of: message, error, options)
        }
        let transcript = SessionTranscript(
            deviceEngagementBytes: engagement.taggedBytes,
            eReaderKeyBytes: [UInt8](establishment.eReaderKeyBytes),
            handover: handover
        )
        return await Self.establish(
            with: establishment.data,
            establishment.eReaderKey,
            transcript,
            key,
            options,
            establishment.deviations.within("sessionEstablishment")
        )
    }

    /// Agrees on keys with a reader and decrypts its first request.
    static func establish(
        with data: ArraySlice<UInt8>,
        _ eReaderKey: COSEKey,
        _ transcript: SessionTranscript,
        _ key: any KeyAgreement,
        _ options: MdocReadingOptions,
        _ deviations: [MdocDeviation]
    ) async -> Establishment {
        do throws(MdocError) {
            var machine = try await DeviceSessionMachine(
                key: key,
                eReaderKey: try eReaderKey.keyAgreementKey(),
                sessionTranscript: transcript,
                options: options,
                deviations: deviations
            )
            switch machine.establish(with: data) {
            case .message(let request, _): return .established(machine, request: request)
            case .end(let termination, let reply): return .ended(termination, reply: reply)
            case .ignored: return .ended(.requested, reply: nil)
            }
        } catch {
            return failure(.encryptionError, error)
        }
    }

    /// Ends the session before it began.
    ///
    /// - Returns: The message that tells a reader so, if there is a channel to one.
    public consuming func terminate() -> [UInt8] {
        SessionData(status: .termination).encoded()
    }

    /// The outcome of a message other than a SessionEstablishment; a reader may end a session before it begins.
    static func refusal(
        of message: [UInt8],
        _ error: MdocError,
        _ options: MdocReadingOptions
    ) -> Establishment {
        if let sessionData = try? SessionData(decoding: message, options: options),
            sessionData.data == nil, let status = sessionData.status
        {
            return .ended(.received(status), reply: nil)
        }
        return failure(.cborDecodingError, error)
    }

    static func failure(_ status: SessionData.Status, _ error: MdocError) -> Establishment {
        .ended(
            SessionTermination(.thisSide, status, error.description),
            reply: SessionData(status: status).encoded()
        )
    }
}

import CBORKit
import MdocKit
import MdocProximity

extension SessionKnowledge {
    /// The handovers of a form, as far as what they are made of is known.
    struct Handovers {
        let form: SessionForm
        let variants: [Variant<Handover>]
        /// Indicates that engagement and reader's key belong to the transcript.
        var isProximity = false
    }

    /// The handovers of every form.
    var handovers: [Handovers] {
        [
            Handovers(form: .qr, variants: [Variant(.qr)], isProximity: true),
            Handovers(form: .nfcStatic, variants: nfcStatic, isProximity: true),
            Handovers(form: .nfcNegotiated, variants: nfcNegotiated, isProximity: true),
            Handovers(form: .website, variants: website, isProximity: true),
            Handovers(form: .openID4VP, variants: openID4VP),
            Handovers(form: .openID4VPDigitalCredentialsAPI, variants: openID4VPDigitalCredentialsAPI),
            Handovers(form: .digitalCredentialsAPI, variants: digitalCredentialsAPI),
            Handovers(form: .openID4VPDraft23, variants: draft23),
            Handovers(form: .openID4VPDraft24DigitalCredentialsAPI, variants: draft24),
            Handovers(form: .openID4VPUnhashed, variants: unhashed),
            Handovers(form: .appleWallet, variants: appleWallet),
            Handovers(form: .androidPreview, variants: androidPreview),
            Handovers(form: .browserPreview, variants: browserPreview),
        ]
    }

    // MARK: Proximity and website retrieval

    private var nfcStatic: [Variant<Handover>] {
        nfcHandoverSelect.map { [Variant(.nfc(select: $0))] } ?? []
    }

    private var nfcNegotiated: [Variant<Handover>] {
        guard let nfcHandoverSelect, let nfcHandoverRequest else { return [] }
        return [
            Variant(.nfc(select: nfcHandoverSelect, request: nfcHandoverRequest)),
            Variant(.nfc(select: nfcHandoverRequest, request: nfcHandoverSelect), .nfcMessagesSwapped),
        ]
    }

    private var website: [Variant<Handover>] {
        guard let readerEngagementBytes else { return [] }
        let tagged = Self.tagged(readerEngagementBytes)
        let content = Self.content(of: tagged).map { [UInt8]($0) } ?? readerEngagementBytes
        return [
            Variant(.website(readerEngagementBytes: tagged)),
            Variant(.website(readerEngagementBytes: content), .readerEngagementUntagged),
        ]
    }

    // MARK: OpenID4VP and the Digital Credentials API

    private var openID4VP: [Variant<Handover>] {
        guard let nonce else { return [] }
        let values = clientIDs.paired(with: responseURIs).paired(with: thumbprints)
        return values.flatMap { value in
            let ((clientID, uri), thumbprint) = value.value
            return Self.hashed("OpenID4VPHandover", value) { _ in
                [.text(clientID), .text(nonce), thumbprint, .text(uri)]
            }
        }
    }

    private var openID4VPDigitalCredentialsAPI: [Variant<Handover>] {
        guard let nonce else { return [] }
        return origins.paired(with: thumbprints).flatMap { value in
            Self.hashed("OpenID4VPDCAPIHandover", value) { [.text($0.0), .text(nonce), $0.1] }
        }
    }

    private var draft24: [Variant<Handover>] {
        guard let nonce else { return [] }
        let nonces: [Variant<Bool>] = [Variant(false), Variant(true, .clientIDAndNonceSwapped)]
        return origins.paired(with: draft24ClientIDs).paired(with: nonces).flatMap { value in
            Self.hashed("OpenID4VPDCAPIHandover", value) { value in
                let ((origin, clientID), isSwapped) = value
                return isSwapped
                    ? [.text(origin), .text(nonce), .text(clientID)] : [.text(origin), .text(clientID), .text(nonce)]
            }
        }
    }

    private var digitalCredentialsAPI: [Variant<Handover>] {
        guard let encryptionInfo else { return [] }
        var infos: [Variant<CBOR>] = [Variant(.text(encryptionInfo))]
        let padding = String(repeating: "=", count: (4 - encryptionInfo.utf8.count % 4) % 4)
        if !padding.isEmpty { infos.append(Variant(.text(encryptionInfo + padding), .encryptionInfoPadded)) }
        if let bytes = MdocBase64URL.decode(encryptionInfo.utf8) {
            infos.append(Variant(.bytes(bytes), .encryptionInfoAsBytes))
        }
        return infos.paired(with: origins).flatMap { value in
            Self.hashed("dcapi", value) { [$0.0, .text($0.1)] }
        }
    }

    private var draft23: [Variant<Handover>] {
        guard let nonce else { return [] }
        return clientIDs.paired(with: responseURIs).paired(with: generatedNonces).map { value in
            value.map {
                .openID4VPDraft23(clientID: $0.0.0, responseURI: $0.0.1, nonce: nonce, mdocGeneratedNonce: $0.1)
            }
        }
    }

    private var unhashed: [Variant<Handover>] {
        guard let nonce else { return [] }
        return clientIDs.paired(with: responseURIs).paired(with: generatedNonces).map { value in
            value.map {
                .openID4VPUnhashed(clientID: $0.0.0, responseURI: $0.0.1, nonce: nonce, mdocGeneratedNonce: $0.1)
            }
        }
    }

    /// The thumbprints as the handovers of OpenID4VP 1.0 hold them.
    private var thumbprints: [Variant<CBOR>] {
        guard !jwkThumbprints.isEmpty else { return [Variant(.null)] }
        return jwkThumbprints.map { Variant(.bytes($0)) } + [Variant(.null, .withoutThumbprint)]
            + jwkThumbprints.map { Variant(.text(MdocBase64URL.encode($0)), .thumbprintAsText) }
    }

    /// A handover that holds a digest; where nothing else differs also with its content in tag 24.
    private static func hashed<Value>(
        _ name: String,
        _ variant: Variant<Value>,
        _ content: (Value) -> CBOR
    ) -> [Variant<Handover>] {
        let plain = variant.map { value in Handover.hashed(name) { $0.write(content(value)) } }
        guard variant.variations.isEmpty else { return [plain] }
        let encoded = content(variant.value).encoded()
        return [plain, Variant(Handover.hashed(name) { $0.write(embedded: encoded) }, .handoverInfoTagged)]
    }

    // MARK: Platforms

    private var appleWallet: [Variant<Handover>] {
        guard let platformNonce, let merchantID, let teamID, let recipient else { return [] }
        let handover = try? Handover.appleWallet(
            nonce: platformNonce,
            merchantID: merchantID,
            teamID: teamID,
            recipient: recipient
        )
        return handover.map { [Variant($0)] } ?? []
    }

    private var androidPreview: [Variant<Handover>] {
        guard let platformNonce, let packageName, let recipient else { return [] }
        let handover = try? Handover.androidPreview(
            nonce: platformNonce,
            packageName: packageName,
            recipient: recipient
        )
        return handover.map { [Variant($0)] } ?? []
    }

    private var browserPreview: [Variant<Handover>] {
        guard let platformNonce, let recipient else { return [] }
        return origins.compactMap { origin in
            guard
                let handover = try? Handover.browserPreview(
                    nonce: platformNonce,
                    origin: origin.value,
                    recipient: recipient
                )
            else { return nil }
            return origin.map { _ in handover }
        }
    }
}

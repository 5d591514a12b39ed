import MdocKit

/// A transcript that a wallet may have used.
struct TranscriptCandidate {
    let form: SessionForm
    let variations: [SessionVariation]
    let transcript: SessionTranscript
}

extension SessionKnowledge {
    /// Every transcript that can be made of what is known, without repetitions: the given one first, then those that
    /// differ least from what the standards say.
    var candidates: [TranscriptCandidate] {
        var candidates =
            sessionTranscript.map {
                [TranscriptCandidate(form: .given, variations: [], transcript: $0)]
            } ?? []
        for handovers in handovers {
            let members = handovers.isProximity ? proximityMembers : absentMembers
            for variant in members.paired(with: handovers.variants) {
                let transcript = SessionTranscript(
                    deviceEngagementBytes: variant.value.0.engagement,
                    eReaderKeyBytes: variant.value.0.readerKey,
                    handover: variant.value.1
                )
                candidates.append(
                    TranscriptCandidate(
                        form: handovers.form,
                        variations: variant.variations,
                        transcript: transcript
                    )
                )
            }
        }
        var seen: Set<[UInt8]> = []
        let ordered = candidates.enumerated().sorted { left, right in
            (left.element.variations.count, left.offset) < (right.element.variations.count, right.offset)
        }
        return ordered.map(\.element).filter { seen.insert($0.transcript.encodedBytes).inserted }
    }
}

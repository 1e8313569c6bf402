/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See timeline_data.h. */
#include "timeline_data.h"
#include "data_bytes.h"

static void put_lane(struct data_bytes *bytes, const struct mpi_lanes *lanes, const struct mpi_lane *lane)
{
	uint64_t at = lane->begin;
	data_number(bytes, lane->begin - lanes->begin);
	data_number(bytes, lane->end - lane->begin);
	data_number(bytes, lane->count);
	for (uint32_t i = lane->first; i < lane->first + lane->count; i++) {
		const struct mpi_piece *piece = &lanes->pieces[i];
		data_number(bytes, piece->begin - at);
		data_number(bytes, piece->end - piece->begin);
		data_number(bytes, piece->kind);
		at = piece->end;
	}
}

void timeline_data_write(FILE *file, const struct mpi_lanes *lanes)
{
	struct data_bytes bytes = {0};
	uint64_t sent = lanes->begin;
	data_number(&bytes, lanes->begin);
	data_number(&bytes, lanes->end - lanes->begin);
	data_number(&bytes, lanes->lane_count);
	data_number(&bytes, lanes->piece_count);
	data_number(&bytes, lanes->line_count);
	for (uint32_t l = 0; l < lanes->lane_count; l++)
		put_lane(&bytes, lanes, &lanes->lanes[l]);
	for (uint32_t i = 0; i < lanes->line_count; i++) {
		const struct mpi_line *line = &lanes->lines[i];
		data_number(&bytes, line->sent - sent);
		data_number(&bytes, line->received - lanes->begin);
		data_number(&bytes, line->from);
		data_number(&bytes, line->to);
		sent = line->sent;
	}
	if (data_deflate(&bytes) == 0)
		data_base64(file, &bytes);
	data_free(&bytes);
}
